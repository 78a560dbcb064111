package palyra.sandbox.internal.egress;

import java.io.IOException;
import java.lang.annotation.Annotation;
import java.lang.reflect.Proxy;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.stream.Collectors;
import org.osgi.framework.Bundle;
import org.osgi.framework.BundleContext;
import org.osgi.framework.ServiceFactory;
import org.osgi.framework.ServiceRegistration;
import palyra.api.core.access.AccessRequest;
import palyra.api.core.egress.EgressClient;
import palyra.api.core.egress.EgressTunnels;
import palyra.api.core.ops.Ops;
import palyra.api.tape.TapeRecord;
import palyra.testing.access.FakeAccess;
import palyra.testing.access.FakeAccess.Use;
import palyra.testing.journal.MemoryJournal;

/**
 * The product's way out, which may reach one port of loopback, and what it records. It is in this
 * package because its configuration is.
 */
public final class RealEgress implements AutoCloseable {
    private final FakeAccess access = new FakeAccess(Use.READ);
    private final MemoryJournal journal = new MemoryJournal();
    private final Path state;
    private final EgressComponent component;
    private ServiceFactory<EgressTunnels> tunnels;

    /** Opens it. */
    public RealEgress(int port) throws IOException {
        state = Files.createTempDirectory("pe");
        component =
                new EgressComponent(
                        (BundleContext)
                                Proxy.newProxyInstance(
                                        getClass().getClassLoader(),
                                        new Class<?>[] {BundleContext.class},
                                        (proxy, method, arguments) ->
                                                method.getName().equals("registerService")
                                                        ? registration(arguments[1])
                                                        : Ops.STATE_FOLDER.equals(arguments[0])
                                                                ? state.toString()
                                                                : null),
                        configuration(new String[] {"127.0.0.1:" + port}));
        component.bindAccess(access, Map.of());
        component.bindJournal(journal, Map.of());
    }

    @SuppressWarnings("unchecked")
    private ServiceRegistration<?> registration(Object service) {
        tunnels = (ServiceFactory<EgressTunnels>) service;
        return (ServiceRegistration<?>)
                Proxy.newProxyInstance(
                        getClass().getClassLoader(),
                        new Class<?>[] {ServiceRegistration.class},
                        (proxy, method, arguments) -> null);
    }

    private EgressConfiguration configuration(String[] allowPrivate) {
        return (EgressConfiguration)
                Proxy.newProxyInstance(
                        getClass().getClassLoader(),
                        new Class<?>[] {EgressConfiguration.class},
                        (proxy, method, arguments) ->
                                switch (method.getName()) {
                                    case "annotationType" ->
                                            (Class<? extends Annotation>) EgressConfiguration.class;
                                    case "allowPrivate" -> allowPrivate;
                                    default -> method.getDefaultValue();
                                });
    }

    /** Returns the client. */
    public EgressClient client() {
        return component;
    }

    /** Returns the tunnels of a bundle. */
    public EgressTunnels tunnels() {
        Bundle bundle =
                (Bundle)
                        Proxy.newProxyInstance(
                                getClass().getClassLoader(),
                                new Class<?>[] {Bundle.class},
                                (proxy, method, arguments) -> "connector");
        return tunnels.getService(bundle, null);
    }

    /** Allows connections, or refuses all. */
    public void allow(boolean all) {
        access.allowing(request -> all);
    }

    /** Returns all that policy was asked. */
    public java.util.List<AccessRequest> asked() {
        return access.requests();
    }

    /** Returns all that is in the journal, as text. */
    public String recorded() {
        return journal.records(TapeRecord.JOURNAL_STREAM).stream()
                .map(record -> record.type() + new String(record.payload(), StandardCharsets.UTF_8))
                .collect(Collectors.joining("\n"));
    }

    @Override
    public void close() {
        component.deactivate();
        SocketFolders.remove(state);
    }
}
