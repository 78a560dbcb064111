package palyra.bench.sandbox;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import org.osgi.framework.BundleContext;
import org.osgi.framework.ServiceRegistration;
import palyra.api.core.access.Access;
import palyra.api.core.access.Confinement;
import palyra.api.core.egress.EgressProxies;
import palyra.api.core.journal.Journal;
import palyra.api.core.sandbox.SandboxBackend;
import palyra.api.core.tools.ConfinedResult;
import palyra.api.core.tools.ConfinedTool;
import palyra.api.core.tools.ToolExamination;
import palyra.api.core.tools.ToolOrder;
import palyra.api.core.tools.ToolProposed;
import palyra.api.tool.ToolInvocation;
import palyra.sandbox.internal.process.ShellTool;
import palyra.sandbox.internal.run.SandboxConfiguration;
import palyra.sandbox.internal.run.SandboxSettings;
import palyra.sandbox.internal.wiring.SandboxParts;
import palyra.sandbox.posix.internal.PosixComponent;
import palyra.sandbox.posix.internal.folder.FolderComponent;
import palyra.testing.access.FakeAccess;
import palyra.testing.journal.MemoryJournal;
import palyra.testing.journal.MemoryKeys;

/**
 * The product's own tools over its own Tier C, egress proxy and launcher, as its bundles put them
 * together, without a framework: a call takes every step from the proposed input to the result that
 * the model gets. Access control allows all, and the journal keeps its records in memory.
 */
final class SandboxTools implements AutoCloseable {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final String AGENT = "bench";
    private static final long DEADLINE_MILLIS = TimeUnit.MINUTES.toMillis(20);

    private final PosixComponent posix = new PosixComponent();
    private final RecordingLauncher launcher = new RecordingLauncher(posix);
    private final Access access = new FakeAccess(FakeAccess.Use.READ, FakeAccess.Use.TOOL);
    private final Journal journal = new MemoryJournal();
    private final Path workspaces;
    private final SandboxParts parts;
    private final Object egress;
    private final ConfinedTool shell;
    private final AtomicLong calls = new AtomicLong();
    private final String session;
    private String enforcement = "";

    /**
     * Opens them.
     *
     * @param folder a new folder
     * @param allowedHosts what commands may reach that name no hosts
     */
    SandboxTools(Path folder, String... allowedHosts) throws Exception {
        Path own = Files.createDirectory(folder).toRealPath();
        session = own.getFileName().toString();
        workspaces = Files.createDirectory(own.resolve("workspaces"));
        Path state = Files.createDirectory(own.resolve("state"));
        SandboxBackend tierC = Tiers.tierC(launcher);
        tierC.probe();
        parts =
                new SandboxParts(
                        SandboxSettings.from(
                                configuration(
                                        SandboxConfiguration.class,
                                        Map.of("allowedHosts", allowedHosts)),
                                workspaces),
                        List.of(state),
                        Map.of());
        parts.access().add(access, Map.of());
        parts.journal().add(journal, Map.of());
        parts.keys().add(new MemoryKeys(), Map.of());
        parts.folders().add(new FolderComponent(), Map.of());
        parts.backends().add(tierC, Map.of());
        egress = egress(state);
        parts.proxies().add((EgressProxies) egress, Map.of());
        parts.begin();
        parts.gatewayIsUp();
        shell =
                (ConfinedTool)
                        parts.tools().stream()
                                .filter(tool -> tool.descriptor().name().equals(ShellTool.NAME))
                                .findFirst()
                                .orElseThrow();
    }

    /** Returns defaults with some values in their place. */
    private static <T> T configuration(Class<T> type, Map<String, ?> values) {
        return type.cast(
                Proxy.newProxyInstance(
                        SandboxTools.class.getClassLoader(),
                        new Class<?>[] {type},
                        (proxy, method, arguments) ->
                                values.containsKey(method.getName())
                                        ? values.get(method.getName())
                                        : method.getDefaultValue()));
    }

    /** Returns an object of the framework's that answers by the names of its methods. */
    private static <T> T proxy(Class<T> type, Function<String, Object> answer) {
        return type.cast(
                Proxy.newProxyInstance(
                        SandboxTools.class.getClassLoader(),
                        new Class<?>[] {type},
                        (proxy, method, arguments) -> answer.apply(method.getName())));
    }

    /** The bundle shows its component runtime what it shows no one else. */
    private Object egress(Path state) throws Exception {
        String folder = "palyra.sandbox.internal.egress.";
        ServiceRegistration<?> registered = proxy(ServiceRegistration.class, method -> null);
        BundleContext context =
                proxy(
                        BundleContext.class,
                        method -> method.equals("registerService") ? registered : state.toString());
        Object made =
                Class.forName(folder + "EgressComponent")
                        .getConstructors()[0]
                        .newInstance(
                                context,
                                configuration(
                                        Class.forName(folder + "EgressConfiguration"), Map.of()));
        call(made, "bindAccess", access, Map.of());
        call(made, "bindJournal", journal, Map.of());
        return made;
    }

    private static void call(Object component, String name, Object... arguments) throws Exception {
        for (Method method : component.getClass().getDeclaredMethods()) {
            if (method.getName().equals(name)) {
                method.setAccessible(true);
                method.invoke(component, arguments);
                return;
            }
        }
        throw new IllegalStateException(component.getClass() + " has no " + name);
    }

    /**
     * Has the shell tool run a line, which must succeed.
     *
     * @param shared whether in the sandbox of the session
     */
    void shell(String line, boolean shared) throws Exception {
        ObjectNode input = JSON.createObjectNode().put("command", line).put("session", shared);
        input.put("timeout_ms", TimeUnit.MINUTES.toMillis(10));
        String text = input.toString();
        ToolExamination examined =
                shell.examine(new ToolProposed(ShellTool.NAME, text, session, "user:bench", AGENT));
        if (examined instanceof ToolExamination.Refused refused) {
            throw new IllegalStateException(refused.reason());
        }
        ConfinedResult done =
                shell.run(
                        new ToolOrder(
                                ShellTool.NAME,
                                new ToolInvocation(
                                        session + "-call-" + calls.incrementAndGet(),
                                        1,
                                        "run",
                                        session,
                                        "user:bench",
                                        text,
                                        System.currentTimeMillis() + DEADLINE_MILLIS),
                                AGENT,
                                Set.of("operator"),
                                Confinement.STRICTEST,
                                "",
                                false));
        JsonNode output = JSON.readTree(done.result().outputJson());
        if (output.path("exit_code").asInt(-1) != 0) {
            throw new IllegalStateException(line + ": " + done);
        }
        enforcement = done.enforcement();
    }

    /** Returns what was in force for the last line. */
    String enforcement() {
        return enforcement;
    }

    /** Returns the folder where lines run. */
    Path workspace() {
        return workspaces.resolve(AGENT);
    }

    /** Returns the launcher, which knows what was launched last. */
    RecordingLauncher launcher() {
        return launcher;
    }

    @Override
    public void close() throws Exception {
        parts.close();
        call(egress, "deactivate");
        posix.stop();
    }
}
