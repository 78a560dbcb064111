package palyra.shared.secrets;

/** The pattern of secrets of one kind. Immutable. */
interface Shape {
    /** Returns the name of the kind. */
    String kind();

    /** Returns the characters that an anchor of it begins with. */
    String firsts();

    /**
     * Looks whether the shape's anchor is at {@code at}, where a word begins if the anchor begins
     * with a letter or digit. Reads forward a bounded number of characters, and at most three
     * backward.
     *
     * @param complete whether the text ends where it ends; otherwise more may follow, and the
     *     outcome must be the same for every continuation
     */
    void attempt(CharSequence text, int at, boolean complete, Attempt outcome);
}
