package palyra.deploy.internal.parts;

import java.util.function.Supplier;

/** Says hello. */
public class Greeter implements Supplier<String> {
    @Override
    public String get() {
        return "hello";
    }
}
