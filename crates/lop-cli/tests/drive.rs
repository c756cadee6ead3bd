//! `lop gen` with programs that know nothing of lop: whose random numbers it drives, and what it says where it cannot.

mod common;

use common::{Output, Place, finished, start};

fn text(place: &Place, name: &str) -> String {
    String::from_utf8(place.read(name)).unwrap()
}

#[test]
fn a_program_in_python_that_knows_nothing_of_lop_is_reduced() {
    let place = Place::new();
    place.write(
        "make.py",
        "import random\n\
         def item():\n\
         \x20   return random.randrange(100)\n\
         print([item() for _ in range(random.randint(0, 20))], random.choice('xyz'))\n",
    );
    place.script("test.sh", "grep -q '[6-9][0-9]' $1");
    let args = [
        "gen",
        "--find",
        "--seed",
        "1",
        "--generator",
        "python3 make.py",
        "./test.sh",
        "bug.choices",
    ];
    place.lop(args).expect(0, &[]);
    assert_eq!(text(&place, "bug.lop.case"), "[60] x\n");
}

#[test]
#[cfg(target_os = "linux")]
fn a_program_that_knows_nothing_of_lop_is_reduced_with_a_library_in_it() {
    let place = Place::new();
    place.write(
        "make.c",
        "#include <stdio.h>\n#include <stdlib.h>\n#include <time.h>\n\
         static void item(void) { printf(\"%ld \", lrand48() % 100); }\n\
         int main(void) {\n\
           srand48(time(0));\n\
           long count = lrand48() % 20;\n\
           for (long i = 0; i < count; i++) item();\n\
           puts(rand() % 2 ? \"odd\" : \"even\");\n\
           return 0;\n\
         }\n",
    );
    finished(start(place.command("cc").args(["make.c", "-o", "make"]))).expect(0, &[]);
    place.script("test.sh", "grep -q '[6-9][0-9] ' $1");
    let args =
        ["gen", "--find", "--seed", "1", "--generator", "./make", "./test.sh", "bug.choices"];
    place.lop(args).expect(0, &[]);
    assert_eq!(text(&place, "bug.lop.case"), "60 even\n");
}

/// Whether a program is there; all of them are where all tests are to be run.
fn has(place: &Place, program: &str, argument: &str) -> bool {
    let is_here =
        place.command(program).arg(argument).output().is_ok_and(|output| output.status.success());
    assert!(is_here || std::env::var_os("LOP_TEST_ALL").is_none(), "{program} is to be there");
    is_here
}

/// What is left of the first interesting case of a generator.
fn reduced(place: &Place, generator: &str, more: &[&str]) -> (Output, String) {
    let args =
        ["gen", "--find", "--seed", "1", "--generator", generator, "./test.sh", "bug.choices"];
    let output = place.lop(args.iter().chain(more));
    output.expect(0, &[]);
    (output, text(place, "bug.lop.case"))
}

#[test]
fn a_program_for_node_that_knows_nothing_of_lop_is_reduced() {
    let place = Place::new();
    if !has(&place, "node", "--version") {
        return;
    }
    place.write(
        "make.js",
        "const { randomInt } = require('crypto');\n\
         function item() { return Math.floor(Math.random() * 100); }\n\
         const items = [];\n\
         for (let left = Math.floor(Math.random() * 20); left > 0; left--) items.push(item());\n\
         console.log(items.join(' ') + ' ' + 'xyz'[randomInt(3)]);\n",
    );
    place.script("test.sh", "grep -q '[6-9][0-9] ' $1");
    assert_eq!(reduced(&place, "node make.js", &[]).1, "60 x\n");
}

#[test]
fn the_random_numbers_of_numpy_are_driven() {
    let place = Place::new();
    let numpy = place.command("python3").args(["-c", "import numpy"]).output();
    if !numpy.is_ok_and(|output| output.status.success()) {
        eprintln!("skipped: Python has no numpy here");
        return;
    }
    place.write(
        "make.py",
        "import numpy as np\n\
         rng = np.random.default_rng(12345)\n\
         np.random.seed(5)\n\
         print([int(rng.integers(100)) for _ in range(np.random.randint(0, 20))], rng.choice(list('xyz')))\n",
    );
    place.script("test.sh", "grep -q '[6-9][0-9]' $1");
    assert_eq!(reduced(&place, "python3 make.py", &[]).1, "[60] x\n");
}

/// A generator in C++ that seeds an engine with a random number.
const ENGINE: &str = "#include <random>\n#include <cstdio>\n\
     static void item(std::mt19937 &engine) {\n\
       std::uniform_int_distribution<int> number(0, 99);\n\
       std::printf(\"%d \", number(engine));\n\
     }\n\
     int main() {\n\
       std::random_device device;\n\
       std::mt19937 engine(device());\n\
       int count = std::uniform_int_distribution<int>(0, 19)(engine);\n\
       for (int i = 0; i < count; i++) item(engine);\n\
       std::puts(engine() % 2 ? \"odd\" : \"even\");\n\
     }\n";

#[test]
#[cfg(target_os = "linux")]
fn the_engines_of_cpp_are_driven_and_where_they_are_not_only_the_seed_is() {
    let place = Place::new();
    if !has(&place, "c++", "--version") {
        return;
    }
    place.write("make.cpp", ENGINE);
    let compile = |more: &[&str]| {
        let mut command = place.command("c++");
        finished(start(command.args(["make.cpp", "-o", "make"]).args(more))).expect(0, &[]);
    };
    place.script("test.sh", "grep -q '[6-9][0-9] ' $1");
    compile(&["-O0"]);
    let (output, case) = reduced(&place, "./make", &[]);
    assert!(matches!(&*case, "60 odd\n" | "60 even\n"), "{case}");
    assert!(!output.stderr.contains("only a seed"), "{}", output.stderr);
    // Without names nobody knows where the engine is.
    compile(&["-O0", "-s"]);
    let (output, _) = reduced(&place, "./make", &[]);
    output.expect(0, &["draws only a seed (one number)", "-O1", "--clients"]);
    // Nor does a short case hide it: `odd` alone has fewer bytes than the seed.
    place.script("test.sh", "grep -q 'd$' $1 && [ $(wc -c < $1) -lt 8 ]");
    let (output, _) = reduced(&place, "./make", &[]);
    output.expect(0, &["draws only a seed (one number)"]);
}

#[test]
#[cfg(target_os = "linux")]
fn a_generator_that_draws_nothing_is_told_what_would_work() {
    let place = Place::new();
    place.script("test.sh", "true");
    place.write(
        "make.c",
        "#include <stdio.h>\n#include <stdlib.h>\n\
         int main(void) { printf(\"%d\\n\", OWN ? 7 : rand()); return 0; }\n",
    );
    let compile = |more: &[&str]| {
        let mut command = place.command("cc");
        finished(start(command.args(["make.c", "-o", "make"]).args(more))).expect(0, &[]);
    };
    let says = |generator: &str, words: &[&str]| {
        let args = ["gen", "--find", "--drive", "preload", "--generator", generator];
        let output = place.lop(args.iter().chain(&["./test.sh", "bug.choices"]));
        output.expect(6, words);
        assert!(!output.stderr.contains("--drive preload"), "it was just tried: {}", output.stderr);
    };
    compile(&["-DOWN=1"]);
    says("./make", &["computes its random numbers itself", "rand()", "--clients"]);
    says("echo $(( 1 + 1 ))", &["neither it nor a program that it starts", "--clients"]);
    compile(&["-DOWN=0"]);
    for drive in ["python", "node"] {
        let args = ["gen", "--find", "--drive", drive, "--generator", "./make"];
        let output = place.lop(args.iter().chain(&["./test.sh", "bug.choices"]));
        output.expect(6, &["it is machine code", "--drive preload"]);
    }
    let static_one =
        place.command("cc").args(["make.c", "-DOWN=0", "-static", "-o", "make"]).output();
    if static_one.is_ok_and(|output| output.status.success()) {
        says("./make", &["is linked statically", "without -static", "--clients"]);
    }
}

#[test]
fn a_generator_that_is_not_a_function_of_its_choices_is_blamed_before_the_test() {
    let place = Place::new();
    place.script("test.sh", "grep -q 7 $1");
    let generator = |rest: &str| {
        let draw = "n=$(sed -n 2p $LOP_CHOICES)\ncase $n in [0-9]*) ;; *) n=7 ;; esac\necho \"i 0 99 0 $n\" >> $LOP_EVENTS\necho case $n";
        place.script("make.sh", &format!("{draw}\n{rest}"));
    };
    generator("echo $$");
    place.write("some.choices", "lop-choices 1\n7\n");
    for more in [&[][..], &["--find", "--seed", "1"]] {
        let args = ["gen", "--generator", "./make.sh", "./test.sh", "some.choices"];
        place.lop(args.iter().chain(more)).expect(
            8,
            &[
                "the generator `./make.sh` made two different test cases of the same choices",
                "line 2 was `",
                "Take that out",
            ],
        );
    }
    // One that changes while it is reduced.
    let runs = place.path("runs");
    generator(&format!("echo . >> {0}; [ $(wc -l < {0}) -lt 4 ] || echo late", runs.display()));
    place
        .lop(["gen", "-j", "1", "--generator", "./make.sh", "./test.sh", "some.choices"])
        .expect(8, &["made two different test cases of the same choices"]);
}

#[test]
#[cfg(target_os = "linux")]
fn csmith_as_it_is_makes_smaller_programs_that_the_compiler_still_takes() {
    let place = Place::new();
    // csmith writes a file to its working directory.
    let is_here = place.command("csmith").arg("--version").output().is_ok();
    if !is_here {
        assert!(std::env::var_os("LOP_TEST_ALL").is_none(), "csmith is to be there for this test");
        return;
    }
    place.script("test.sh", "grep -q 'for (g_' $1 && gcc -w -I/usr/include/csmith -c $1 -o out.o");
    let generator = "csmith --max-funcs 1 --max-block-depth 2 --max-expr-complexity 2 --no-arrays --no-pointers";
    let args = [
        "gen",
        "--find",
        "--seed",
        "5",
        "--max-tests",
        "300",
        "--generator",
        generator,
        "--as",
        "case.c",
        "./test.sh",
        "bug.choices",
    ];
    place.lop(args).expect(0, &["bug.lop.choices", "bug.lop.c"]);
    let choices = |name: &str| text(&place, name).lines().count();
    assert!(
        10 * choices("bug.lop.choices") < choices("bug.choices"),
        "{} lines are left",
        choices("bug.lop.choices")
    );
    let program = text(&place, "bug.lop.c");
    assert!(program.contains("for (g_") && program.contains("int main"), "{program}");
}

#[test]
#[cfg(target_os = "linux")]
fn a_length_that_is_drawn_first_and_a_loop_without_a_function_reduce_fully() {
    let place = Place::new();
    place.write(
        "make.c",
        "#include <stdio.h>\n#include <stdlib.h>\n\
         int main(void) {\n\
           int count = rand() % 10 + 1;\n\
           for (int i = 0; i < count; i++)\n\
             switch (rand() % 4) {\n\
               case 0: printf(\"let a = %d\\n\", rand() % 100); break;\n\
               case 1: printf(\"print a\\n\"); break;\n\
               case 2: printf(\"add %d\", rand() % 10); printf(\" %d\\n\", rand() % 10); break;\n\
               case 3: printf(\"mul %d\\n\", rand() % 50); break;\n\
             }\n\
           return 0;\n\
         }\n",
    );
    place.script("test.sh", "grep -q 'mul [2-4][0-9]' $1 && grep -q 'add 5' $1");
    for optimised in ["-O0", "-O2"] {
        let mut command = place.command("cc");
        finished(start(command.args(["make.c", "-o", "make", optimised]))).expect(0, &[]);
        for seed in ["1", "2", "3"] {
            let (_, case) = reduced(&place, "./make", &["--seed", seed]);
            assert!(
                matches!(&*case, "mul 20\nadd 5 0\n" | "add 5 0\nmul 20\n"),
                "{optimised}, seed {seed}: {case}"
            );
        }
    }
}
