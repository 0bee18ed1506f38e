// options: --blackbox vendor --blackbox multiplier
// expect: UNSAFE b0 (one:
// expect: SAFE b1 (same:
module top(input clk, input a, input [3:0] x, y);
  wire b;
  wire [7:0] product;
  vendor u(.a(a), .b(b));
  multiplier #(.W(4)) m(.x(x), .y(y), .product(product));
  one: assert property (!b);
  same: assert property (product == product + b - b);
endmodule
(* blackbox *)
module vendor(input a, output b);
endmodule
module multiplier #(parameter W = 2)(input [W-1:0] x, y, output [2*W-1:0] product);
  assign product = x * y;
endmodule
