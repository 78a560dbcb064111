package palyra.shell.internal.fakes.parts;

import java.util.function.Supplier;

/** A component that needs a greeter. */
public class Listener {
    private Supplier<?> greeter;

    public void bind(Supplier<?> service) {
        greeter = service;
    }

    @Override
    public String toString() {
        return String.valueOf(greeter.get());
    }
}
