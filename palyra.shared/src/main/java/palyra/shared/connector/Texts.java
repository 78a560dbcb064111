package palyra.shared.connector;

import palyra.api.Require;

/** Small helpers for texts from outside. Pure. */
public final class Texts {
    private Texts() {}

    /** Returns a text in which halves of surrogate pairs are replaced: they are no Unicode. */
    public static String wellFormed(String text) {
        StringBuilder mended = null;
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            boolean pair =
                    Character.isHighSurrogate(c)
                            && i + 1 < text.length()
                            && Character.isLowSurrogate(text.charAt(i + 1));
            if (pair) {
                i++;
            } else if (Character.isSurrogate(c)) {
                mended = mended == null ? new StringBuilder(text) : mended;
                mended.setCharAt(i, '\ufffd');
            }
        }
        return mended == null ? text : mended.toString();
    }

    /** Returns one line of at most so many characters, without control characters. */
    public static String line(String text, int most) {
        String line = wellFormed(Require.orEmpty(text)).replaceAll("\\p{Cntrl}+", " ").strip();
        return cut(line, most);
    }

    /** Returns at most so many UTF-16 units, and no half of a pair. */
    public static String cut(String text, int most) {
        if (text.length() <= most) {
            return text;
        }
        boolean within = Character.isHighSurrogate(text.charAt(most - 1));
        return text.substring(0, within ? most - 1 : most);
    }
}
