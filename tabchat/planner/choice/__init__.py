"""Readings → the one that is certain, or those to offer: weights that were fitted, and their calibration."""

from tabchat.planner.choice.scoring import MOST_OFFERED, Candidate, rated, signs, softmax
from tabchat.planner.choice.subject import Subject, subject_of
from tabchat.planner.choice.weights import Weights, read_weights, shipped_weights

__all__ = [
    "MOST_OFFERED",
    "Candidate",
    "Subject",
    "Weights",
    "rated",
    "read_weights",
    "shipped_weights",
    "signs",
    "softmax",
    "subject_of",
]
