package palyra.gateway.internal.settings;

/** Patterns in which a star matches any text, including the empty one. */
final class Glob {
    private Glob() {}

    /** Returns whether the whole text fits; takes time in proportion to both lengths at most. */
    static boolean fits(String pattern, String text) {
        int p = 0;
        int t = 0;
        int star = -1;
        int from = 0;
        while (t < text.length()) {
            if (p < pattern.length() && pattern.charAt(p) == '*') {
                star = p++;
                from = t;
            } else if (p < pattern.length() && pattern.charAt(p) == text.charAt(t)) {
                p++;
                t++;
            } else if (star >= 0) {
                p = star + 1;
                t = ++from;
            } else {
                return false;
            }
        }
        while (p < pattern.length() && pattern.charAt(p) == '*') {
            p++;
        }
        return p == pattern.length();
    }
}
