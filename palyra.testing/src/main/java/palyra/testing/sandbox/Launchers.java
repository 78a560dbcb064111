package palyra.testing.sandbox;

import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.Constructor;
import java.lang.reflect.Proxy;
import java.net.URI;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.util.Enumeration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import palyra.api.core.sandbox.FolderCalls;
import palyra.api.core.sandbox.ProcessLauncher;

/**
 * Makes the real launcher, and what opens folders, from their bundle's own description of services,
 * so that nothing here depends on the inside of that bundle.
 */
public final class Launchers {
    private static final Pattern CLASS =
            Pattern.compile("<implementation\\s+class=\"([^\"]+)\"", Pattern.DOTALL);

    private Launchers() {}

    /** Returns the launcher that is on the class path. */
    public static ProcessLauncher real() throws IOException, ReflectiveOperationException {
        return service(ProcessLauncher.class);
    }

    /** Returns what opens folders, of the launcher that is on the class path. */
    public static FolderCalls folders() throws IOException, ReflectiveOperationException {
        return service(FolderCalls.class);
    }

    private static <T> T service(Class<T> type) throws IOException, ReflectiveOperationException {
        Enumeration<URL> manifests =
                Launchers.class.getClassLoader().getResources("META-INF/MANIFEST.MF");
        while (manifests.hasMoreElements()) {
            URL manifest = manifests.nextElement();
            String text = read(manifest).replace("\r\n ", "").replace("\n ", "");
            Matcher names = Pattern.compile("Service-Component: (.*)").matcher(text);
            if (!names.find()) {
                continue;
            }
            for (String name : names.group(1).strip().split(",", -1)) {
                String xml = read(beside(manifest, name.strip()));
                Matcher found = CLASS.matcher(xml);
                if (xml.contains("<provide interface=\"" + type.getName() + "\"") && found.find()) {
                    return type.cast(make(Class.forName(found.group(1))));
                }
            }
        }
        throw new IllegalStateException(
                "No launcher is on the class path: build palyra.sandbox.posix first.");
    }

    private static URL beside(URL manifest, String name) throws IOException {
        return URI.create(manifest.toString().replace("META-INF/MANIFEST.MF", name)).toURL();
    }

    private static String read(URL url) throws IOException {
        try (InputStream in = url.openStream()) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    private static Object make(Class<?> type) throws ReflectiveOperationException {
        Constructor<?> best = null;
        for (Constructor<?> constructor : type.getConstructors()) {
            if (best == null || constructor.getParameterCount() > best.getParameterCount()) {
                best = constructor;
            }
        }
        if (best == null) {
            throw new IllegalStateException(type + " has no public constructor");
        }
        Class<?>[] parameters = best.getParameterTypes();
        Object[] arguments = new Object[parameters.length];
        for (int at = 0; at < parameters.length; at++) {
            arguments[at] = defaults(parameters[at]);
        }
        return best.newInstance(arguments);
    }

    /** Returns a fake configuration, or a service that returns defaults. */
    private static Object defaults(Class<?> type) {
        if (!type.isInterface()) {
            throw new IllegalStateException("a launcher needs a " + type);
        }
        return Proxy.newProxyInstance(
                type.getClassLoader(),
                new Class<?>[] {type},
                (proxy, method, arguments) -> method.getDefaultValue());
    }
}
