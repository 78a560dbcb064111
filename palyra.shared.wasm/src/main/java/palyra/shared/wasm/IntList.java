package palyra.shared.wasm;

import java.util.Arrays;

/** A list of ints that grows. Not thread-safe. */
final class IntList {
    private int[] values = new int[16];
    private int size;

    int size() {
        return size;
    }

    int get(int index) {
        if (index >= size) {
            throw new IndexOutOfBoundsException(index);
        }
        return values[index];
    }

    void set(int index, int value) {
        values[index] = value;
    }

    void add(int value) {
        if (size == values.length) {
            values = Arrays.copyOf(values, size * 2);
        }
        values[size++] = value;
    }

    int last() {
        return get(size - 1);
    }

    int removeLast() {
        int value = get(size - 1);
        size--;
        return value;
    }

    void clear() {
        size = 0;
    }

    int[] toArray() {
        return Arrays.copyOf(values, size);
    }
}
