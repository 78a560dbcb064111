package palyra.skills.engine.wasmtime.internal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import palyra.skills.engine.wasmtime.internal.gateway.WorkerFiles;

class WorkerFilesTest {
    @TempDir Path folder;

    private Object install() throws IOException {
        WorkerFiles.Installed installed = new WorkerFiles(folder, new TestFiles()).install();
        Path moduleStore = installed.libraryPath().resolve("libwasmtime_jni.so");
        return Files.readAttributes(moduleStore, BasicFileAttributes.class).fileKey();
    }

    /** A start of the gateway needs no space for what an earlier one laid down. */
    @Test
    void whatAnEarlierStartLaidDownIsUsedAgain() throws Exception {
        Object first = install();
        assertEquals(first, install());
    }

    @Test
    void whatWasChangedMeanwhileIsWrittenAnew() throws Exception {
        Object first = install();
        Files.write(folder.resolve("program/native/libwasmtime_jni.so"), new byte[] {1});
        assertNotEquals(first, install());
    }
}
