package palyra.gateway.internal.engine;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.Optional;
import java.util.function.Consumer;
import palyra.api.core.journal.Journal;
import palyra.api.core.journal.Unit;

/** A journal of which each call goes through a test's hands, which may let it happen or not. */
final class WatchedJournal {
    private WatchedJournal() {}

    /** What is done in place of a call; whatever it throws, the caller gets. */
    @FunctionalInterface
    interface Handler {
        Object handle(Call call) throws Throwable;
    }

    /** One call of the journal. */
    record Call(Journal real, Method method, Object... arguments) {
        boolean of(String name) {
            return method.getName().equals(name);
        }

        /** Returns what is to be committed; empty when this is no commit. */
        Optional<Unit> unit() {
            boolean commit =
                    arguments != null
                            && arguments.length == 1
                            && Unit.class.isInstance(arguments[0]);
            return commit ? Optional.of((Unit) arguments[0]) : Optional.empty();
        }

        Object proceed() throws Throwable {
            try {
                return method.invoke(real, arguments);
            } catch (InvocationTargetException e) {
                throw e.getCause();
            }
        }
    }

    static Journal of(Journal real, Handler handler) {
        return (Journal)
                Proxy.newProxyInstance(
                        Journal.class.getClassLoader(),
                        new Class<?>[] {Journal.class},
                        (proxy, method, arguments) ->
                                handler.handle(new Call(real, method, arguments)));
    }

    /** Returns a journal in which something happens just before a unit is committed. */
    static Journal before(Journal real, Consumer<Unit> what) {
        return of(
                real,
                call -> {
                    call.unit().ifPresent(what);
                    return call.proceed();
                });
    }
}
