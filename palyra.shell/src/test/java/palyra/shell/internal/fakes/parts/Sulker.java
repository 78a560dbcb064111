package palyra.shell.internal.fakes.parts;

import java.util.function.Supplier;

/** A component that cannot be made. */
public class Sulker implements Supplier<String> {
    public Sulker() {
        throw new IllegalStateException("not today");
    }

    @Override
    public String get() {
        return "";
    }
}
