package com.cedarpolicy.model.formatter;

/** What the formatter is told; the native code calls the getters. */
public final class Config {
    private final int lineWidth;
    private final int indentWidth;

    /** Holds both widths, in characters. */
    public Config(int lineWidth, int indentWidth) {
        this.lineWidth = lineWidth;
        this.indentWidth = indentWidth;
    }

    /** Returns the width of a line. */
    public int getLineWidth() {
        return lineWidth;
    }

    /** Returns the width of one step to the right. */
    public int getIndentWidth() {
        return indentWidth;
    }
}
