package palyra.shell.internal.gogo;

import java.nio.file.Path;
import java.util.Dictionary;
import java.util.HashMap;
import java.util.Iterator;
import java.util.Map;
import java.util.Map.Entry;
import java.util.Set;
import org.apache.felix.service.command.CommandProcessor;
import org.apache.felix.service.command.Function;
import org.osgi.framework.BundleContext;
import org.osgi.framework.FrameworkUtil;
import org.osgi.framework.ServiceRegistration;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Deactivate;
import org.osgi.service.component.annotations.Reference;
import palyra.api.core.ops.Ops;
import palyra.shell.internal.host.CommandHost;
import palyra.shell.internal.host.CommandRegistry;
import palyra.shell.internal.host.LocalPeers;
import palyra.shell.internal.host.Seams;

/**
 * Registers a Gogo function in scope {@code palyra} for the first word of each command, as commands
 * come and go. Whoever types at that prompt is the gateway's own user.
 */
@Component(
        service = {},
        immediate = true)
public final class GogoFunctions {
    private final CommandHost host;
    private final CommandRegistry registry;
    private final Seams seams;
    private final BundleContext context;
    private final LocalPeers peers;
    private final Runnable change = this::adjust;
    private final Map<String, ServiceRegistration<Function>> functions =
            new HashMap<>(); // guarded by this
    private boolean closed; // guarded by this

    /** The reference to the processor only says that Gogo is there. */
    @Activate
    public GogoFunctions(
            @Reference CommandProcessor processor,
            @Reference CommandHost host,
            @Reference CommandRegistry registry,
            @Reference Seams seams,
            BundleContext context) {
        this.host = host;
        this.registry = registry;
        this.seams = seams;
        this.context = context;
        this.peers = LocalPeers.of(Path.of(context.getProperty(Ops.STATE_FOLDER)));
        registry.onChange(change);
        adjust();
    }

    @Deactivate
    void deactivate() {
        registry.offChange(change);
        synchronized (this) {
            closed = true;
            functions.values().forEach(ServiceRegistration::unregister);
            functions.clear();
        }
    }

    private synchronized void adjust() {
        if (closed) {
            return;
        }
        Set<String> wanted = registry.firstWords();
        for (Iterator<Entry<String, ServiceRegistration<Function>>> each =
                        functions.entrySet().iterator();
                each.hasNext(); ) {
            Entry<String, ServiceRegistration<Function>> function = each.next();
            if (!wanted.contains(function.getKey())) {
                function.getValue().unregister();
                each.remove();
            }
        }
        wanted.forEach(word -> functions.computeIfAbsent(word, this::register));
    }

    private ServiceRegistration<Function> register(String word) {
        Dictionary<String, Object> properties =
                FrameworkUtil.asDictionary(
                        Map.of(
                                CommandProcessor.COMMAND_SCOPE,
                                "palyra",
                                CommandProcessor.COMMAND_FUNCTION,
                                new String[] {word}));
        Function function =
                new GogoFunction(
                        word,
                        host,
                        () -> seams.access().call(access -> access.authenticate(peers.self())));
        return context.registerService(Function.class, function, properties);
    }
}
