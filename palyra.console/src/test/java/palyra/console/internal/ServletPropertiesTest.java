package palyra.console.internal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.osgi.service.servlet.whiteboard.HttpWhiteboardConstants;

class ServletPropertiesTest {
    @TempDir Path folder;

    /** Elsewhere a form with a file, sent without a session, would be kept on disk. */
    @Test
    void formsCarryFilesAtOneAddressOnlyWithinABound() {
        assertFalse(
                ServletProperties.pages()
                        .containsKey(
                                HttpWhiteboardConstants.HTTP_WHITEBOARD_SERVLET_MULTIPART_ENABLED));
        Map<String, Object> uploads = ServletProperties.uploads(folder.resolve("p").toFile());
        assertEquals(
                List.of("/console/bundles/upload/*"),
                uploads.get(HttpWhiteboardConstants.HTTP_WHITEBOARD_SERVLET_PATTERN));
        long most =
                (Long)
                        uploads.get(
                                HttpWhiteboardConstants
                                        .HTTP_WHITEBOARD_SERVLET_MULTIPART_MAXREQUESTSIZE);
        assertTrue(most <= 17L << 20, "the HTTP server takes 17 MiB");
        assertTrue(folder.resolve("p").toFile().isDirectory());
    }
}
