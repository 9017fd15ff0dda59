"""Measuring, in rooms. Each may import those before it, and itself.

suites      what is asked and expected        metrics     rates of stored samples
running     a plan, played sample by sample   costs       tokens, seconds and money
benchmarks  published suites and tables       comparing   runs against runs
reports     a run as people read it           judges      models that judge pairs
"""
