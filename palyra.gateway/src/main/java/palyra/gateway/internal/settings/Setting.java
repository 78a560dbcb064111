package palyra.gateway.internal.settings;

/** One named setting of the engine. */
public sealed interface Setting permits ModelProfile, PromptProfile, Price, Budget, Setting.Broken {
    /** Returns the name of the file's instance. */
    String name();

    /**
     * Something that is configured and cannot be used.
     *
     * @param kind what it was to be, such as {@code budget}
     * @param why one sentence: why it cannot be used
     */
    record Broken(String kind, String name, String why) implements Setting {}
}
