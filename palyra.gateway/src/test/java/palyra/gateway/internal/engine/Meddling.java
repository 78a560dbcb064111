package palyra.gateway.internal.engine;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.function.Consumer;
import palyra.api.core.journal.Journal;
import palyra.api.core.journal.Unit;

/** A journal in which something happens just before a unit is committed. */
final class Meddling {
    private Meddling() {}

    static Journal before(Journal real, Consumer<Unit> what) {
        return (Journal)
                Proxy.newProxyInstance(
                        Journal.class.getClassLoader(),
                        new Class<?>[] {Journal.class},
                        (proxy, method, args) -> {
                            if (args != null && args.length == 1 && args[0] instanceof Unit unit) {
                                what.accept(unit);
                            }
                            try {
                                return method.invoke(real, args);
                            } catch (InvocationTargetException e) {
                                throw e.getCause();
                            }
                        });
    }
}
