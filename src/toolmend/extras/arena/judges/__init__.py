"""A model judges pairs of answers, and is itself judged: by both orders, by its habits, by people. docs/judges.md.

    matches   what is to be judged        ways      how it is asked, and how its answer is read
    asking    every match in both orders  merging   two answers become one vote, or none
    habits    position, length, flips     calibration   against people's votes; the weight that follows

Knows models, votes and stored runs; no screen.
"""
