"""The examples of docstrings are tests."""

import doctest
import importlib
import unittest

import craig

NAMES = (
    "_clauses card checking cluster constraints formula interpolation itp model pb propagator report scaling solver solvers store waves"
)
MODULES = [craig, *(importlib.import_module(f"craig.{name}") for name in NAMES.split())]


class Examples(unittest.TestCase):
    def test_they_give_what_they_say(self):
        attempted = 0
        for module in MODULES:
            found = doctest.testmod(module, verbose=False)
            self.assertEqual(found.failed, 0, module.__name__)
            attempted += found.attempted
        self.assertGreater(attempted, 25)

    def test_all_that_is_listed_is_there(self):
        for name in craig.__all__:
            self.assertTrue(hasattr(craig, name), name)
