package palyra.shell.internal.fakes.parts;

import java.util.function.Supplier;

/** A component that works. */
public class Greeter implements Supplier<String> {
    @Override
    public String get() {
        return "hello";
    }
}
