"""How English, Ukrainian and Russian write numbers, scales and dates, and the reading of them in prose."""
