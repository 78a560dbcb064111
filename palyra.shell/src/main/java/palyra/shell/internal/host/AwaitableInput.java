package palyra.shell.internal.host;

import java.io.IOException;

/**
 * An input that can be waited for without taking anything from it: the end is told, and an
 * interrupt ends the wait. Other inputs are looked at from time to time, lest a wait outlive its
 * command and take what is meant for the next one.
 */
public interface AwaitableInput {
    /**
     * Waits until something can be read without waiting; false when the input has ended.
     *
     * @throws IOException when the input is broken, or the thread was interrupted (its flag is left
     *     set)
     */
    boolean awaitInput() throws IOException;
}
