package palyra.transport.grpc.internal.service;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.concurrent.atomic.AtomicLong;
import palyra.api.run.RunEvent;
import palyra.api.run.RunObserver;
import palyra.api.run.Runs;

/** A front whose observers are counted. */
final class CountedFollowing {
    private CountedFollowing() {}

    static Runs of(Runs front, AtomicLong taken) {
        return (Runs)
                Proxy.newProxyInstance(
                        Runs.class.getClassLoader(),
                        new Class<?>[] {Runs.class},
                        (proxy, method, arguments) -> {
                            Object[] given = arguments == null ? new Object[0] : arguments.clone();
                            for (int i = 0; i < given.length; i++) {
                                if (given[i] instanceof RunObserver observer) {
                                    given[i] = counted(observer, taken);
                                }
                            }
                            try {
                                return method.invoke(front, given);
                            } catch (InvocationTargetException e) {
                                throw e.getCause();
                            }
                        });
    }

    private static RunObserver counted(RunObserver observer, AtomicLong taken) {
        return new RunObserver() {
            @Override
            public void onEvent(RunEvent event) {
                taken.incrementAndGet();
                observer.onEvent(event);
            }

            @Override
            public void onInterrupted(String reason) {
                observer.onInterrupted(reason);
            }
        };
    }
}
