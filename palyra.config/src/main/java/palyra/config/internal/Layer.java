package palyra.config.internal;

/** Where a setting comes from; a later layer wins over an earlier one, key by key. */
enum Layer {
    /** The metatype's own defaults, in code. */
    BUILT_IN("built-in"),
    /** The folder that is installed with the product. */
    SHIPPED("shipped"),
    /** The drop-in folder, while there is one; never written by us. */
    DEPLOYED("deploy"),
    /** The operator's folder; never written by us. */
    OPERATOR("operator"),
    /** What the start was given with {@code --set}. */
    OVERRIDE("override");

    private final String label;

    Layer(String label) {
        this.label = label;
    }

    /** Returns whether its files are trusted only when nobody else can have written them. */
    boolean strict() {
        return this == DEPLOYED;
    }

    /** Returns the name for people and for the journal. */
    String label() {
        return label;
    }
}
