"""What one more vote on a pair would tell, so that battles can be drawn where ratings are least sure. Draws nothing.

With variance v of the difference of two strengths, one vote leaves v / (1 + p (1 − p) v); the gain is by how much the
root of v falls (compare Chiang et al. 2024, Chatbot Arena, section 5). The ridge stands in where nobody has voted.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from toolmend.ratings.bradley_terry import RIDGE, fit_pairs, information, inverse
from toolmend.ratings.pairs import count_pairs
from toolmend.ratings.votes import Floats, Votes


def gains(votes: Votes, names: Sequence[str]) -> Floats:
    """A table over `names`, in logits: of each with each, 0 with itself. Those without votes have places in it, too."""
    whole = replace(votes, names=tuple(dict.fromkeys((*votes.names, *names))))
    pairs = count_pairs(whole).pairs
    theta = fit_pairs(pairs).theta
    covariance = inverse(information(theta, pairs, RIDGE))
    spread = np.diag(covariance)
    variance = np.maximum(0.0, spread[:, None] + spread - 2 * covariance)
    chance = 0.5 + 0.5 * np.tanh(0.5 * (theta[:, None] - theta))
    gain = np.sqrt(variance) - np.sqrt(variance / (1 + chance * (1 - chance) * variance))
    places = [whole.names.index(name) for name in names]
    return np.asarray(gain[np.ix_(places, places)])
