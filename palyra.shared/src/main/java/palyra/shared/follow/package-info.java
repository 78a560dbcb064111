/** Following a run across replaced services. Copied privately into each bundle that uses it. */
package palyra.shared.follow;
