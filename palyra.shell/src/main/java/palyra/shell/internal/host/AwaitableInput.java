package palyra.shell.internal.host;

import java.io.IOException;

/**
 * An input that supports waiting without reading: the wait ends at data, at the end of input, or by
 * an interrupt. Other inputs are polled, so that a wait does not outlive its command and read the
 * input of the next one.
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
