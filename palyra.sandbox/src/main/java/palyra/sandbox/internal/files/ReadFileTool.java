package palyra.sandbox.internal.files;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Supplier;
import palyra.api.tool.Capability;
import palyra.api.tool.ToolDescriptor;
import palyra.api.tool.ToolImage;
import palyra.sandbox.internal.workspace.Workspaces;
import palyra.shared.json.JsonFields;

/** Reads a text file of the workspace, or some lines of it. */
final class ReadFileTool extends FileTool {
    private static final int MAX_LINE = 2_000_000_000;
    private static final int MAX_LINES = 10_000;
    private static final int USUAL_LINES = 2_000;
    private static final int MAX_BYTES = 200_000;
    private static final int USUAL_BYTES = 65_536;
    private static final int HEAD_BYTES = 8 * 1_024; // where a binary file shows itself
    private static final ToolDescriptor DESCRIPTOR =
            new ToolDescriptor(
                    "palyra.fs.read_file",
                    "Reads a text file of the workspace, whole or some lines of it. Use it before"
                            + " you change a file, and in place of cat, head, tail and sed. Without"
                            + " from and lines you get the first 2000 lines, at most 64 KiB; the answer"
                            + " says total_lines and, when there is more, next_from: send that as from"
                            + " to go on. A negative from counts from the end ({\"path\":\"build.log\","
                            + "\"from\":-50} is the last 50 lines). The content is the file's own, with"
                            + " no line numbers added. Links are followed as long as they stay in the"
                            + " workspace; what is outside of it cannot be read. Of a binary file you"
                            + " get type and size; of an image (PNG, JPEG, GIF, WebP) also width,"
                            + " height and, up to 1 MiB and if you see images, the image itself."
                            + " Example:"
                            + " {\"path\":\"src/app.py\",\"from\":120,\"lines\":60}",
                    """
                    {"type":"object","required":["path"],\
                    "properties":{"path":{"type":"string","minLength":1,"maxLength":4095,\
                    "description":"File, relative to the workspace. Names are as palyra.fs.list_dir shows them."},\
                    "from":{"type":"integer","minimum":-2000000000,"maximum":2000000000,\
                    "description":"First line, counted from 1, or from the end when negative; 1\
                     unless given."},\
                    "lines":{"type":"integer","minimum":1,"maximum":10000,\
                    "description":"Most lines; 2000 unless given."},\
                    "max_bytes":{"type":"integer","minimum":1,"maximum":200000,\
                    "description":"Most bytes; 65536 unless given."}}}""",
                    Set.of(Capability.FILESYSTEM_READ),
                    true,
                    true,
                    30_000,
                    16_384);

    /** Creates. */
    ReadFileTool(Supplier<Workspaces> workspaces) {
        super(
                workspaces,
                DESCRIPTOR,
                "within-workspace",
                PATH,
                "from|offset|start_line",
                "lines|limit");
    }

    private record Request(Place place, long from, long lines, int maxBytes) {}

    @Override
    Plan plan(Path workspace, JsonFields input) throws FileRefusal {
        Place place = Place.of(workspace, input.text("path", MAX_PATH));
        if (place.real().isRoot()) {
            throw new FileRefusal(
                    FileRefusal.INPUT, "The path is the workspace itself; name a file in it.");
        }
        Request request =
                new Request(
                        place,
                        input.number("from", 1, -MAX_LINE, MAX_LINE),
                        input.number("lines", USUAL_LINES, 1, MAX_LINES),
                        (int) input.number("max_bytes", USUAL_BYTES, 1, MAX_BYTES));
        return new Plan(place.both(), Set.of(), new Reading(workspace, request));
    }

    @Override
    String all() {
        return "Reads any file of the workspace";
    }

    /** One reading, and the image that was read. */
    private static final class Reading implements Work {
        private final Path workspace;
        private final Request request;
        private List<ToolImage> images = List.of(); // the thread of the call only

        Reading(Path workspace, Request request) {
            this.workspace = workspace;
            this.request = request;
        }

        @Override
        public ObjectNode run() throws FileRefusal, IOException, InterruptedException {
            return read(workspace, request, image -> images = List.of(image));
        }

        @Override
        public List<ToolImage> images() {
            return images;
        }
    }

    private static ObjectNode read(Path workspace, Request request, Consumer<ToolImage> image)
            throws FileRefusal, IOException, InterruptedException {
        BeneathPath path = request.place().real();
        ObjectNode output = JsonNodeFactory.instance.objectNode();
        output.put("path", request.place().named().toString());
        if (request.place().isLed()) {
            output.put("link_to", path.toString());
        }
        try (OpenFolder folder = OpenFolder.at(workspace, path.parent());
                SeekableByteChannel file = folder.read(path.name(), path)) {
            output.put("size_bytes", file.size());
            byte[] head = new byte[HEAD_BYTES];
            int length = head(file, head);
            if (FileKind.isBinary(head, length)) {
                binary(file, FileKind.of(head, length), output).ifPresent(image);
            } else if (FileKind.isOtherText(head, length)) {
                otherText(file, FileKind.of(head, length), output).ifPresent(image);
            } else {
                lines(file, request, output);
            }
        } catch (FileRefusal e) {
            throw request.place().isLed() && e.reasonCode().equals(FileRefusal.NOT_FOUND)
                    ? dangling(request.place())
                    : e;
        }
        return output;
    }

    private static FileRefusal dangling(Place place) {
        return new FileRefusal(
                FileRefusal.NOT_FOUND,
                "'"
                        + FileRefusal.shown(place.named().toString())
                        + "' is or goes through a symbolic link that leads to '"
                        + FileRefusal.shown(place.real().toString())
                        + "', which does not exist; name another.");
    }

    private static Optional<ToolImage> binary(
            SeekableByteChannel file, String type, ObjectNode output) throws IOException {
        output.put("binary", true);
        output.put("type", type);
        boolean image = ToolImage.MEDIA_TYPES.contains(type);
        byte[] bytes = new byte[(int) Math.min(file.size(), ToolImage.MAX_BYTES + 1L)];
        int length = image ? head(file, bytes) : 0;
        Optional<ImageSize> size = image ? ImageSize.of(type, bytes) : Optional.empty();
        size.ifPresent(
                pixels -> output.put("width", pixels.width()).put("height", pixels.height()));
        if (size.isPresent() && length <= ToolImage.MAX_BYTES) {
            output.put("hint", "An image. A model that sees gets it with this result.");
            return Optional.of(ToolImage.of(type, Arrays.copyOf(bytes, length)));
        }
        output.put(
                "hint",
                size.isEmpty()
                        ? "A binary file; its content is not shown."
                        : "An image of more than "
                                + ToolImage.MAX_BYTES
                                + " bytes, which is not shown; make a smaller copy and read that.");
        return Optional.empty();
    }

    /** Shown as UTF-8 it would be made of replacements for the most part. */
    private static Optional<ToolImage> otherText(
            SeekableByteChannel file, String type, ObjectNode output) throws IOException {
        Optional<ToolImage> image = binary(file, type, output);
        if (image.isEmpty() && type.equals(FileKind.UNKNOWN)) {
            output.put(
                    "hint",
                    "No UTF-8, so its content is not shown. If it is a text in another encoding, read"
                            + " it by a command, such as iconv -f ISO-8859-1 -t UTF-8 FILE.");
        }
        return image;
    }

    private static int head(SeekableByteChannel file, byte[] head) throws IOException {
        ByteBuffer buffer = ByteBuffer.wrap(head);
        boolean more = true;
        while (more && buffer.hasRemaining()) {
            more = file.read(buffer) >= 0;
        }
        file.position(0);
        return buffer.position();
    }

    private static void lines(SeekableByteChannel file, Request request, ObjectNode output)
            throws IOException, InterruptedException {
        boolean numbered = request.from() >= 0 || file.size() <= LineWindow.MAX_SCAN_BYTES;
        long first = Math.max(1, request.from());
        if (request.from() < 0) {
            if (!numbered) {
                file.position(file.size() - request.maxBytes());
                output.put("hint", "The file is too large to count its lines.");
            }
            long start = file.position();
            LineWindow count = new LineWindow(1, 0, 0);
            count.read(file, request.place().real());
            first = Math.max(numbered ? 1 : 2, count.total() + 1 + request.from());
            file.position(start);
        }
        LineWindow window = new LineWindow(first, request.lines(), request.maxBytes());
        window.read(file, request.place().real());
        window.describe(output, numbered);
    }
}
