// refused: the content of the module "vendor" is not known (instance "u")
module top(input clk, input a);
  wire b;
  vendor u(.a(a), .b(b));
  assert property (!b);
endmodule
(* blackbox *)
module vendor(input a, output b);
endmodule
