package palyra.sandbox.internal.guard;

import java.util.Locale;

/** What a program can be made to do by its arguments, from the least. */
enum ProgramKind {
    /** Its own work. */
    PLAIN,
    /** It starts others as a rule: build tools, editors, databases with a shell command. */
    RUNS_PROGRAMS,
    /** It starts the program that its arguments name. */
    DISPATCHER,
    /** It runs code that it is given. */
    INTERPRETER;

    /** Returns the class that a rule names, such as {@code runs-programs}. */
    static ProgramKind of(String word) {
        return valueOf(word.toUpperCase(Locale.ROOT).replace('-', '_'));
    }
}
