// expect: UNSAFE b0
module unknown(input [1:0] a);
  reg z;
  always @* begin
    z = 1'bx;
    if (a == 1) z = 0;
  end
  always @* assert (!z);
endmodule
