package palyra.console.internal;

import java.io.File;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.osgi.service.servlet.whiteboard.HttpWhiteboardConstants;
import palyra.console.internal.upload.UploadPages;

/** How the console's servlets are registered. */
final class ServletProperties {
    private ServletProperties() {}

    static Map<String, Object> pages() {
        Map<String, Object> properties = new HashMap<>();
        properties.put(
                HttpWhiteboardConstants.HTTP_WHITEBOARD_SERVLET_PATTERN,
                List.of("/console", "/console/*"));
        properties.put(HttpWhiteboardConstants.HTTP_WHITEBOARD_SERVLET_NAME, "palyra-console");
        properties.put(HttpWhiteboardConstants.HTTP_WHITEBOARD_SERVLET_ASYNC_SUPPORTED, true);
        return properties;
    }

    /**
     * The one place where forms may carry files, so that no other makes the server keep bytes of
     * callers who did not sign in.
     */
    static Map<String, Object> uploads(File folder) {
        if (!folder.isDirectory() && !folder.mkdirs()) {
            throw new IllegalStateException("the folder " + folder + " cannot be made");
        }
        Map<String, Object> properties = new HashMap<>();
        properties.put(
                HttpWhiteboardConstants.HTTP_WHITEBOARD_SERVLET_PATTERN,
                List.of(UploadPages.PREFIX + "/*"));
        properties.put(
                HttpWhiteboardConstants.HTTP_WHITEBOARD_SERVLET_NAME, "palyra-console-uploads");
        properties.put(HttpWhiteboardConstants.HTTP_WHITEBOARD_SERVLET_MULTIPART_ENABLED, true);
        properties.put(
                HttpWhiteboardConstants.HTTP_WHITEBOARD_SERVLET_MULTIPART_MAXFILESIZE,
                UploadPages.MOST_REQUEST_BYTES);
        properties.put(
                HttpWhiteboardConstants.HTTP_WHITEBOARD_SERVLET_MULTIPART_MAXREQUESTSIZE,
                UploadPages.MOST_REQUEST_BYTES);
        properties.put(
                HttpWhiteboardConstants.HTTP_WHITEBOARD_SERVLET_MULTIPART_FILESIZETHRESHOLD,
                64 * 1024);
        properties.put(
                HttpWhiteboardConstants.HTTP_WHITEBOARD_SERVLET_MULTIPART_LOCATION,
                folder.getAbsolutePath());
        return properties;
    }
}
