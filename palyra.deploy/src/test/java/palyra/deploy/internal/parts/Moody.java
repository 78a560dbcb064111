package palyra.deploy.internal.parts;

/** A component that can be made until somebody sets a property. */
public class Moody {
    public static final String BAD = "palyra.test.mood.bad";

    public Moody() {
        if (Boolean.getBoolean(BAD)) {
            throw new IllegalStateException("not any more");
        }
    }
}
