"""A full-screen table of any frame, driven by keys: only the rows on the screen are fetched."""
