package palyra.launcher;

import java.util.Optional;

/** Where the prompt's lines come from. */
interface Lines extends AutoCloseable {
    /** What the prompt asks with. */
    String SIGN = "palyra> ";

    /** The next line, without its end; empty at the end of the input. */
    Optional<String> next() throws InterruptedException;

    /** Ctrl-C while no command runs: what was typed is dropped. */
    void interrupted();

    /** Leaves the terminal as it was. */
    @Override
    void close();
}
