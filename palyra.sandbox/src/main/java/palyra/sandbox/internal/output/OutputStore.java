package palyra.sandbox.internal.output;

/** Where the whole output of one command goes when it is more than memory keeps. Thread-safe. */
public interface OutputStore {
    /** Keeps nothing. */
    OutputStore NONE = stream -> OutputFile.refused("", "it is not kept for this command");

    /** Begins the file of a stream, {@code out} or {@code err}; called at most once for each. */
    OutputFile begin(String stream);
}
