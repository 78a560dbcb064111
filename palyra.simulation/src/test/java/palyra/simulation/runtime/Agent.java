package palyra.simulation.runtime;

import com.sun.tools.attach.VirtualMachine;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.lang.instrument.Instrumentation;
import java.lang.reflect.Field;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.jar.Attributes;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import org.junit.platform.launcher.LauncherSession;
import org.junit.platform.launcher.LauncherSessionListener;

/**
 * Prepares the JVM of the tests before any class of the product is loaded: swaps call sites, in the
 * JDK too, and fixes what the JDK draws at random at its start, so that a seed replays in another
 * JVM. Does so only in a JVM that was started for it.
 */
public final class Agent implements LauncherSessionListener {
    private static final String HOOKS = "palyra/simulation/hook/Hooks";
    private static final String[] PARTS = {"", "$Source"};

    @Override
    public void launcherSessionOpened(LauncherSession session) {
        if (Boolean.getBoolean("jdk.attach.allowAttachSelf")) {
            attach();
        }
    }

    private static void attach() {
        try {
            Path jar = jar();
            VirtualMachine self = VirtualMachine.attach("" + ProcessHandle.current().pid());
            try {
                self.loadAgent(jar.toString(), jar.toString());
            } finally {
                self.detach();
            }
        } catch (Exception e) {
            throw new IllegalStateException("the simulation could not prepare its JVM", e);
        }
    }

    /** Names the agent and holds the hooks, for the boot loader. */
    private static Path jar() throws IOException {
        Manifest manifest = new Manifest();
        Attributes main = manifest.getMainAttributes();
        main.put(Attributes.Name.MANIFEST_VERSION, "1.0");
        main.putValue("Agent-Class", Agent.class.getName());
        main.putValue("Can-Retransform-Classes", "true");
        main.putValue("Can-Redefine-Classes", "true");
        Path jar = Files.createTempFile("palyra-simulation", ".jar");
        jar.toFile().deleteOnExit();
        try (OutputStream out = Files.newOutputStream(jar);
                JarOutputStream entries = new JarOutputStream(out, manifest)) {
            for (String part : PARTS) {
                String name = HOOKS + part + ".class";
                entries.putNextEntry(new JarEntry(name));
                try (InputStream in = Agent.class.getClassLoader().getResourceAsStream(name)) {
                    in.transferTo(entries);
                }
            }
        }
        return jar;
    }

    /** Called by the JVM once the agent is attached. */
    public static void agentmain(String arguments, Instrumentation jvm) throws Exception {
        jvm.appendToBootstrapClassLoaderSearch(new JarFile(arguments));
        Module hooks = Class.forName("palyra.simulation.hook.Hooks").getModule();
        jvm.redefineModule(
                Object.class.getModule(), Set.of(hooks), Map.of(), Map.of(), Set.of(), Map.of());
        fixOrderOfSets();
        jvm.addTransformer(new CallSites(), true);
        List<Class<?>> loaded = List.of(jvm.getAllLoadedClasses());
        for (Class<?> type : loaded) {
            if (CallSites.concerns(type.getName().replace('.', '/'))
                    && jvm.isModifiableClass(type)
                    && !type.isHidden()) {
                jvm.retransformClasses(type);
            }
        }
    }

    /** Sets and maps that cannot change iterate in an order that each JVM draws anew. */
    private static void fixOrderOfSets() throws Exception {
        Class<?> immutable = Class.forName("java.util.ImmutableCollections");
        Field found = sun.misc.Unsafe.class.getDeclaredField("theUnsafe");
        found.setAccessible(true);
        sun.misc.Unsafe memory = (sun.misc.Unsafe) found.get(null);
        Field salt = immutable.getDeclaredField("SALT32L");
        memory.putLong(memory.staticFieldBase(salt), memory.staticFieldOffset(salt), 1);
        Field reverse = immutable.getDeclaredField("REVERSE");
        memory.putBoolean(
                memory.staticFieldBase(reverse), memory.staticFieldOffset(reverse), false);
    }
}
