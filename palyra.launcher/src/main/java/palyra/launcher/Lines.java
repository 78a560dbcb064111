package palyra.launcher;

import java.util.Optional;

/** Source of the prompt's lines. */
interface Lines extends AutoCloseable {
    /** Text of the prompt. */
    String SIGN = "palyra> ";

    /** The next line, without its end; empty at the end of the input. */
    Optional<String> next() throws InterruptedException;

    /** Ctrl-C while no command runs: drops the typed input. */
    void interrupted();

    /** Leaves the terminal as it was. */
    @Override
    void close();
}
