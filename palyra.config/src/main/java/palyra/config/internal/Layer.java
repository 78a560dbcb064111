package palyra.config.internal;

/** Origin of a setting; a later layer overrides an earlier one, key by key. */
enum Layer {
    /** Defaults in the metatype. */
    BUILT_IN("built-in"),
    /** The folder that is installed with the product. */
    SHIPPED("shipped"),
    /** The drop-in folder; the gateway never writes to it. */
    DEPLOYED("deploy"),
    /** The operator's folder; the gateway never writes to it. */
    OPERATOR("operator"),
    /** Options {@code --set} of the start. */
    OVERRIDE("override");

    private final String label;

    Layer(String label) {
        this.label = label;
    }

    /** Returns whether its files must be writable by the gateway's user only. */
    boolean strict() {
        return this == DEPLOYED;
    }

    /** Returns the name for people and for the journal. */
    String label() {
        return label;
    }
}
