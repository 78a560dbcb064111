package palyra.skills.internal.artifact;

import java.util.Locale;
import java.util.Set;
import palyra.skills.internal.RefusedException;

/** The paths that an artifact may have. */
public final class Paths {
    /** The manifest. */
    public static final String MANIFEST = "skill.toml";

    /** The bill of materials. */
    public static final String SBOM = "sbom.cdx.json";

    /** The provenance. */
    public static final String PROVENANCE = "provenance.json";

    /** The signature. */
    public static final String SIGNATURE = "signature.json";

    /** Folder of the modules. */
    public static final String MODULES = "modules/";

    /** Folder of everything else. */
    public static final String ASSETS = "assets/";

    private static final Set<String> SINGLE = Set.of(MANIFEST, SBOM, PROVENANCE, SIGNATURE);
    private static final int MAX_LENGTH = 255;

    private Paths() {}

    /** Returns whether it is a module. */
    public static boolean isModule(String path) {
        return path.startsWith(MODULES) && path.endsWith(".wasm");
    }

    /**
     * Checks a path: relative, printable ASCII, no {@code :} or backslash, no empty, {@code .} or
     * {@code ..} segment, and one that the format knows.
     *
     * @throws RefusedException {@code artifact_path}
     */
    static void require(String path) {
        String fault = fault(path);
        if (!fault.isEmpty()) {
            String shown = path.replaceAll("[^\\x20-\\x7e]", "?");
            throw new RefusedException(
                    "artifact_path",
                    "The entry '"
                            + (shown.length() > 80 ? shown.substring(0, 80) + "…" : shown)
                            + "' is not taken: "
                            + fault
                            + ".");
        }
    }

    private static String fault(String path) {
        if (path.isEmpty() || path.length() > MAX_LENGTH) {
            return "a path has 1 to " + MAX_LENGTH + " characters";
        }
        if (!path.matches("[\\x21-\\x7e]+") || path.indexOf(':') >= 0 || path.indexOf('\\') >= 0) {
            return "a path is of printable ASCII without blank, : and backslash";
        }
        for (String segment : path.split("/", -1)) {
            if (segment.isEmpty() || segment.equals(".") || segment.equals("..")) {
                return "a path is relative, without empty, . and .. segments";
            }
        }
        boolean known = SINGLE.contains(path) || isModule(path) || path.startsWith(ASSETS);
        return known
                ? ""
                : "an artifact holds skill.toml, sbom.cdx.json, provenance.json, signature.json,"
                        + " modules/….wasm and assets/…";
    }

    /** Returns the form in which two paths must differ, since some file systems fold case. */
    static String folded(String path) {
        return path.toLowerCase(Locale.ROOT);
    }
}
