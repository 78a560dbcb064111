package palyra.deploy.internal.parts;

import java.util.function.Supplier;

/** A component that needs a greeter. */
public class Listener {
    /** Called by the component runtime. */
    public void bind(Supplier<String> greeter) {}
}
