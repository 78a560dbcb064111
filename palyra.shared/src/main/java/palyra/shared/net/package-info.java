/** Names and addresses of machines. */
package palyra.shared.net;
