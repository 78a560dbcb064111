package palyra.launcher;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class NativeLibrariesTest {
    @TempDir Path home;

    private Path folder;

    @BeforeEach
    void install() throws IOException {
        folder = Files.createDirectories(home.resolve("lib/native/linux-x86_64"));
        bundle("3/sqlite-jdbc-1.2.jar", "org/sqlite/native/Linux/x86_64/libsqlitejdbc.so");
        bundle("3/jna-5.1.jar", "com/sun/jna/linux-x86-64/libjnidispatch.so");
        bundle("5/palyra.lib.cedar-0.1.jar", "native/linux/x86_64/libcedar_java_ffi.so");
        for (String name : List.of("sqlitejdbc", "jnidispatch", "cedar_java_ffi")) {
            Files.writeString(folder.resolve("lib" + name + ".so"), "library");
        }
    }

    private void bundle(String name, String entry) throws IOException {
        Path jar = home.resolve("bundles").resolve(name);
        Files.createDirectories(jar.getParent());
        try (ZipOutputStream zip = new ZipOutputStream(Files.newOutputStream(jar))) {
            zip.putNextEntry(new ZipEntry(entry));
            zip.write("library".getBytes());
            zip.closeEntry();
        }
    }

    @Test
    void eachIsFoundWhereTheBuildLaidIt() {
        NativeLibraries found = NativeLibraries.of(home, "Linux", "amd64");
        assertEquals(
                Map.of(
                        "org.sqlite.lib.path",
                        folder.toString(),
                        "jna.boot.library.path",
                        folder.toString(),
                        "palyra.lib.cedar.library",
                        folder.resolve("libcedar_java_ffi.so").toString()),
                found.properties());
        assertEquals(List.of(), found.problems());
    }

    @Test
    void oneThatIsNotTheBundlesIsNotUsedAndNamed() throws IOException {
        Files.writeString(folder.resolve("libsqlitejdbc.so"), "half");
        NativeLibraries found = NativeLibraries.of(home, "Linux", "amd64");
        assertEquals(2, found.properties().size());
        assertEquals(1, found.problems().size());
        assertTrue(found.problems().get(0).contains("libsqlitejdbc.so"));
    }

    @Test
    void otherSystemsUnpackTheirsAsBefore() {
        assertEquals(Map.of(), NativeLibraries.of(home, "Mac OS X", "aarch64").properties());
        assertEquals(Map.of(), NativeLibraries.of(home, "Linux", "riscv64").properties());
    }

    @Test
    void installationWithoutABundleNeedsNoLibraryOfIt() throws IOException {
        Files.delete(home.resolve("bundles/3/jna-5.1.jar"));
        Files.delete(folder.resolve("libjnidispatch.so"));
        assertEquals(List.of(), NativeLibraries.of(home, "Linux", "amd64").problems());
    }
}
