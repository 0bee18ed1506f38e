// refused: conflicting drivers
module top(input a, b);
  wire x;
  assign x = a;
  assign x = b;
  always @* assert (x == a);
endmodule
