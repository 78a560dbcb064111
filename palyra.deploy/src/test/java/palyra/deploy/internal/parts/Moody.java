package palyra.deploy.internal.parts;

/** A component that can be created until a property is set. */
public class Moody {
    public static final String BAD = "palyra.test.mood.bad";

    public Moody() {
        if (Boolean.getBoolean(BAD)) {
            throw new IllegalStateException("not any more");
        }
    }
}
