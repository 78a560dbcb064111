package palyra.deploy.internal.parts;

/** A component that cannot be made. */
public class Sulker {
    public Sulker() {
        throw new IllegalStateException("not today");
    }
}
