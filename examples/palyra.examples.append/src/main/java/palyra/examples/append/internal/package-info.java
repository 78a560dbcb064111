/** A tool that appends a line to a file: the example to copy. */
package palyra.examples.append.internal;
