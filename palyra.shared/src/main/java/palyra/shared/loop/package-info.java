/** Long-lived threads that survive what their work throws, and say how they are. */
package palyra.shared.loop;
