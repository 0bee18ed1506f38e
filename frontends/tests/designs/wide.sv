// Words of 256 bits.
// expect: UNSAFE b0 (eq:
// expect: SAFE b1 (same:
module top(input clk, input [255:0] a); reg [255:0] q = 0, r = 0; always @(posedge clk) begin q <= a; r <= a; end
 eq: assert property (q != 256'h123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef0); same: assert property (q == r); endmodule
