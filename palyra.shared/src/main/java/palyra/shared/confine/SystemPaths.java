package palyra.shared.confine;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The parts of a Linux system that sandboxed processes see; all other paths are hidden. */
public final class SystemPaths {
    /** Folders of programs and libraries, to read and execute; the missing ones do not count. */
    public static final List<String> PROGRAMS =
            List.of("/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32");

    /**
     * Settings that programs need to start and to speak TLS. {@code alternatives} is where many
     * names in {@code /usr/bin} lead through; git ends where {@code gitconfig} exists and cannot be
     * read.
     */
    public static final List<String> SETTINGS =
            List.of(
                    "/etc/ld.so.cache",
                    "/etc/ld.so.conf",
                    "/etc/ld.so.conf.d",
                    "/etc/alternatives",
                    "/etc/ssl/certs",
                    "/etc/ssl/openssl.cnf",
                    "/etc/pki/tls/certs",
                    "/etc/pki/ca-trust/extracted",
                    "/etc/ca-certificates",
                    "/etc/localtime",
                    "/etc/timezone",
                    "/etc/gitconfig",
                    "/etc/os-release",
                    "/etc/services",
                    "/etc/protocols");

    /** Settings that resolve names; for commands that reach the network themselves. */
    public static final List<String> NAME_SERVICE = List.of("/etc/resolv.conf", "/etc/gai.conf");

    /** Where a distribution keeps what programs of a toolchain need to start, by name. */
    private static final List<String> TOOLCHAINS = List.of("maven", "java", "gradle", "npmrc");

    private static final Path ETC = Path.of("/etc");

    private static final List<String> NEVER_SHOWN = List.of("/proc", "/sys", "/dev", "/run");

    private SystemPaths() {}

    /**
     * Returns {@link #SETTINGS} and those of toolchains that this host has, such as {@code
     * /etc/maven} and {@code /etc/java-17-openjdk}, where Debian's packages keep files without
     * which they do not start. Looks at the host on each call.
     */
    public static List<String> settings() {
        List<String> all = new ArrayList<>(SETTINGS);
        try (DirectoryStream<Path> entries =
                Files.newDirectoryStream(ETC, SystemPaths::toolchain)) {
            entries.forEach(entry -> all.add(entry.toString()));
        } catch (IOException e) {
            return SETTINGS; // programs say what they miss
        }
        all.sort(null);
        return all;
    }

    private static boolean toolchain(Path entry) {
        String name = entry.getFileName().toString();
        return TOOLCHAINS.stream().anyMatch(one -> name.equals(one) || name.startsWith(one + "-"));
    }

    /**
     * Returns whether a path is the root, or in a folder that no sandbox ever shows: the kernel's
     * views of other processes, devices, sockets of services.
     */
    public static boolean neverShown(String path) {
        return "/".equals(path) || within(path, NEVER_SHOWN) || within(path, List.of("/var/run"));
    }

    /** Returns whether a path is one of some folders or below one. */
    public static boolean within(String path, List<String> folders) {
        for (String folder : folders) {
            if (path.equals(folder) || path.startsWith(folder + "/")) {
                return true;
            }
        }
        return false;
    }
}
