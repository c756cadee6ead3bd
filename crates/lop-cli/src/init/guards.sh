# The guards: no warning that means undefined behaviour, and nothing that the sanitizers find when the program runs.
cc -Wall -Wextra -Werror=uninitialized -Werror=return-type -Werror=implicit-function-declaration -fsyntax-only @FILE@ 2>/dev/null || exit 1
cc -w -g -fsanitize=address,undefined -fno-sanitize-recover=all @FILE@ -o guarded 2>/dev/null || exit 1
timeout @SECONDS@ ./guarded >/dev/null 2>&1 || exit 1
