"""What `lop.reduce` promises. Python finds the module by PYTHONPATH: `python -m unittest crates/lop-python/tests/test_reduce.py`."""

import doctest
import os
import signal
import subprocess
import sys
import threading
import time
import unittest

import lop

PROGRAM = b"int unused;\nint twice(int x) { return x + x; }\nint main(void) { int y = 1; return twice(y) + 2; }\n"


def calls_twice(data):
    return b"twice(" in data and b"main" in data


class Reduce(unittest.TestCase):
    def test_the_result_is_small_and_passes_the_test(self):
        small = lop.reduce(PROGRAM, calls_twice, name="prog.c")
        self.assertIsInstance(small, bytes)
        self.assertTrue(calls_twice(small))
        self.assertLess(len(small), 20)

    def test_the_result_does_not_depend_on_the_number_of_jobs(self):
        text = b"\n".join(b"line %d" % number for number in range(200))
        has = lambda data: b"17" in data and data.count(b"line") > 2
        self.assertEqual(lop.reduce(text, has, jobs=1), lop.reduce(text, has, jobs=4))

    def test_a_language_can_be_named_instead_of_a_file(self):
        by_name = lop.reduce(PROGRAM, calls_twice, name="prog.c")
        self.assertEqual(lop.reduce(PROGRAM, calls_twice, language="c"), by_name)
        with self.assertRaisesRegex(ValueError, "unknown language `klingon`"):
            lop.reduce(PROGRAM, calls_twice, language="klingon")

    def test_a_strategy_can_be_chosen(self):
        small = lop.reduce(b"one\nthe needle\n", lambda data: b"needle" in data, strategy="ddmin:lines")
        self.assertEqual(small, b"the needle\n")
        with self.assertRaises(ValueError):
            lop.reduce(b"a", bool, strategy="no such strategy")

    def test_a_test_that_is_false_for_the_input_is_a_value_error(self):
        with self.assertRaisesRegex(ValueError, "not interesting"):
            lop.reduce(b"abc", lambda data: False)

    def test_a_test_that_changes_its_mind_is_a_value_error(self):
        calls = []
        with self.assertRaisesRegex(ValueError, "flaky"):
            lop.reduce(b"abc", lambda data: calls.append(data) or len(calls) % 2)

    def test_any_true_value_is_a_yes(self):
        self.assertEqual(lop.reduce(bytearray(b"a 7 b"), lambda data: b"7" if b"7" in data else None), b"7")

    def test_limits_end_with_the_best_so_far(self):
        text = b"\n".join(b"line %d" % number for number in range(500))
        has = lambda data: b"17" in data
        some = lop.reduce(text, has, max_tests=5)
        self.assertTrue(has(some))
        self.assertTrue(len(lop.reduce(text, has)) < len(some) < len(text))
        slow = lambda data: time.sleep(0.01) or b"17" in data
        self.assertIn(b"17", lop.reduce(text, slow, max_seconds=0.2))
        with self.assertRaises(ValueError):
            lop.reduce(text, slow, max_seconds=-1)

    def test_an_exception_of_the_test_ends_the_reduction(self):
        for jobs in (1, 3):
            calls = []

            def test(data):
                calls.append(data)
                if len(calls) == 10:
                    raise KeyError("tenth")
                return b"17" in data

            with self.assertRaises(KeyError) as caught:
                lop.reduce(b"1\n17\n2\n" * 50, test, jobs=jobs)
            self.assertEqual(caught.exception.args, ("tenth",))
            self.assertLess(len(calls), 10 + jobs)

    def test_one_job_runs_in_the_calling_thread_and_several_do_not(self):
        for jobs, own in ((1, True), (2, False)):
            threads = set()
            lop.reduce(b"1\n7\n2\n", lambda data: threads.add(threading.get_ident()) or b"7" in data, jobs=jobs)
            self.assertEqual(threads == {threading.get_ident()}, own)

    def test_other_threads_run_while_it_searches(self):
        done = threading.Event()
        other = threading.Timer(0.05, done.set)
        other.start()
        lop.reduce(b"1\n7\n2\n", lambda data: done.wait(10) and b"7" in data)
        other.join()

    def test_control_c_ends_it_with_a_keyboard_interrupt(self):
        # A shell ignores the signal for what it runs in the background, and Python leaves it at that.
        before = signal.signal(signal.SIGINT, signal.default_int_handler)
        self.addCleanup(signal.signal, signal.SIGINT, before)
        for jobs in (1, 2):
            calls = []

            def test(data):
                calls.append(data)
                if len(calls) == 8:
                    os.kill(os.getpid(), signal.SIGINT)
                time.sleep(0.01)
                return len(data) > 1000

            with self.assertRaises(KeyboardInterrupt):
                lop.reduce(b"0123456789\n" * 1000, test, jobs=jobs)

    def test_a_test_may_run_programs(self):
        def fails_to_compile(data):
            run = subprocess.run([sys.executable, "-"], input=data, capture_output=True)
            return b"ZeroDivisionError" in run.stderr

        small = lop.reduce(b"x = 1\nprint(x)\nprint(x / 0)\n", fails_to_compile, name="a.py", jobs=2)
        self.assertLess(len(small.strip()), 6)

    def test_only_bytes_are_reduced(self):
        with self.assertRaises(TypeError):
            lop.reduce("text", bool)
        with self.assertRaises(ValueError):
            lop.reduce(b"text", bool, jobs=0)

    def test_the_example_of_its_documentation_is_true(self):
        (example,) = doctest.DocTestFinder().find(lop.reduce, "reduce", globs={})
        self.assertGreater(len(example.examples), 1)
        self.assertEqual(doctest.DocTestRunner().run(example).failed, 0)


if __name__ == "__main__":
    unittest.main()
