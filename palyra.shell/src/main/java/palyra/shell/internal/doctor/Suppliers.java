package palyra.shell.internal.doctor;

import java.io.IOException;
import java.io.InputStream;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.regex.Pattern;
import org.osgi.framework.Bundle;
import org.osgi.framework.BundleContext;
import org.osgi.framework.InvalidSyntaxException;
import org.osgi.framework.wiring.BundleCapability;
import org.osgi.framework.wiring.BundleRevision;
import palyra.shared.bundles.BundleEntries;

/**
 * Finds bundles that would supply a service, started or not: by what they declare to provide, or by
 * their component descriptions.
 */
final class Suppliers {
    private static final String SERVICE = "osgi.service";
    private static final String COMPONENTS = "Service-Component";
    private static final int MAX_XML_BYTES = 1 << 20;

    private final BundleContext context;

    Suppliers(BundleContext context) {
        this.context = context;
    }

    /** Returns the bundles that would register a service under {@code type}. */
    List<Bundle> of(String type) {
        return Arrays.stream(context.getBundles())
                .filter(bundle -> declares(bundle, type) || describes(bundle, type))
                .toList();
    }

    private static boolean declares(Bundle bundle, String type) {
        BundleRevision revision = bundle.adapt(BundleRevision.class);
        return revision != null
                && revision.getDeclaredCapabilities(SERVICE).stream()
                        .anyMatch(capability -> named(capability, type));
    }

    private static boolean named(BundleCapability capability, String type) {
        Object types = capability.getAttributes().get("objectClass");
        return types instanceof Collection<?> many ? many.contains(type) : type.equals(types);
    }

    private static boolean describes(Bundle bundle, String type) {
        String header = bundle.getHeaders().get(COMPONENTS);
        if (header == null) {
            return false;
        }
        Pattern provides =
                Pattern.compile("<provide\\s+interface\\s*=\\s*[\"']" + Pattern.quote(type));
        for (String path : header.split(",", -1)) {
            for (URL xml : entries(bundle, path.split(";", 2)[0].trim())) {
                if (provides.matcher(read(xml)).find()) {
                    return true;
                }
            }
        }
        return false;
    }

    private static List<URL> entries(Bundle bundle, String path) {
        int slash = path.lastIndexOf('/');
        return BundleEntries.find(
                bundle, slash < 0 ? "/" : path.substring(0, slash), path.substring(slash + 1));
    }

    private static String read(URL xml) {
        try (InputStream in = xml.openStream()) {
            return new String(in.readNBytes(MAX_XML_BYTES), StandardCharsets.UTF_8);
        } catch (IOException e) {
            return "";
        }
    }

    /** Returns how many services of the type are registered now, with any properties. */
    int registered(String type) {
        try {
            Object[] references = context.getAllServiceReferences(type, null);
            return references == null ? 0 : references.length;
        } catch (InvalidSyntaxException e) {
            throw new IllegalStateException(e);
        }
    }
}
