/** The process tools: from a decided call to a command that is ready to start, and back. */
package palyra.sandbox.internal.process;
