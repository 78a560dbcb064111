package palyra.shared.seccomp;

import java.util.List;

/**
 * A part of a filter. It starts with the number of the call in the accumulator, and either returns
 * or falls through to the next rule with the number still there.
 *
 * @param name what it is about, for tests and messages
 * @param instructions what it does
 */
record Rule(String name, List<Instruction> instructions) {
    Rule {
        instructions = List.copyOf(instructions);
    }
}
